/** Byte strings in a row, each behind its length: the form in which vectors go to a host and answers come back. */
export function joinFrames(frames: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(frames.reduce((sum, frame) => sum + 4 + frame.length, 0))
  const view = new DataView(joined.buffer)
  let at = 0
  for (const frame of frames) {
    view.setUint32(at, frame.length, true)
    joined.set(frame, at + 4)
    at += 4 + frame.length
  }
  return joined
}

/** The frames of `joined`, as views on it. */
export function splitFrames(joined: Uint8Array): Uint8Array[] {
  const view = new DataView(joined.buffer, joined.byteOffset, joined.length)
  const frames: Uint8Array[] = []
  for (let at = 0; at < joined.length; ) {
    const length = view.getUint32(at, true)
    frames.push(joined.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return frames
}
