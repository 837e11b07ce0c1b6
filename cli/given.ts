type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** Omits undefined members, for options that are either absent or have a value. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>
}
