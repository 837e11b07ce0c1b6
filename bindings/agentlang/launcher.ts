// Launchers fetch a package and run it. A package without an exact version may be another one at each start.
import { lastPart } from '../policy/path.ts'

/** A package that a command line fetches when it starts. */
export interface LaunchedPackage {
  readonly launcher: string
  readonly name: string
  readonly isPinned: boolean
}

type Pin = (name: string) => boolean

const EXACT = /^v?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const npmPin: Pin = (name) => {
  const at = name.lastIndexOf('@')
  return at > 0 && EXACT.test(name.slice(at + 1))
}
const pythonPin: Pin = (name) => /^[^=@]+(?:==|@)\d[\w.!+]*$/.test(name)
const imagePin: Pin = (name) => /@sha256:[\da-f]{64}$/.test(name)

interface Launcher {
  /** The words that make a program a launcher: `pnpm dlx`. */
  readonly words: readonly string[]
  readonly pin: Pin
  /** Options that name the packages; otherwise it is the first argument. */
  readonly from?: readonly string[]
  /** Other options with a value of their own. */
  readonly valued?: readonly string[]
}

const NPM_VALUED = ['-c', '--call', '-w', '--workspace', '--prefix', '--registry', '--cache', '--userconfig']
const NPM = { pin: npmPin, from: ['-p', '--package'], valued: NPM_VALUED }
const UV = {
  pin: pythonPin,
  from: ['--from', '--with'],
  valued: ['-p', '--python', '--index', '--index-url', '--directory'],
}
const DOCKER_VALUED =
  '-a --add-host --attach -c --cap-add --cap-drop --cgroup-parent --cidfile --cpus --cpuset-cpus --device --dns -e --entrypoint --env --env-file --expose --gpus --group-add -h --hostname --ip --ipc -l --label -m --memory --mount --name --net --network -p --pid --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --tmpfs -u --ulimit --user -v --volume --volumes-from -w --workdir'.split(
    ' ',
  )

const LAUNCHERS: readonly Launcher[] = [
  { words: ['npx'], ...NPM },
  { words: ['npm', 'exec'], ...NPM },
  { words: ['npm', 'x'], ...NPM },
  { words: ['pnpx'], ...NPM },
  { words: ['pnpm', 'dlx'], ...NPM },
  { words: ['pnpm', 'exec'], pin: () => true },
  { words: ['yarn', 'dlx'], ...NPM },
  { words: ['bunx'], ...NPM },
  { words: ['bun', 'x'], ...NPM },
  { words: ['uvx'], ...UV },
  { words: ['uv', 'tool', 'run'], ...UV },
  { words: ['pipx', 'run'], pin: pythonPin, from: ['--spec'], valued: ['--python', '--index-url', '--pip-args'] },
  { words: ['docker', 'run'], pin: imagePin, valued: DOCKER_VALUED },
  { words: ['podman', 'run'], pin: imagePin, valued: DOCKER_VALUED },
]

/** The packages that a command line fetches; empty for a program that is installed already. */
export function launchedPackages(command: string, args: readonly string[]): readonly LaunchedPackage[] {
  const whole = command.trim()
  const words = whole.split(/\s+/)
  // A path may have spaces: `C:\Program Files\nodejs\npx.cmd`.
  const programs = words.length === 1 ? [words] : [words, [whole]]
  return programs.flatMap((program) => launchedBy(unwrapped([...program, ...args])))
}

function launchedBy(words: readonly string[]): readonly LaunchedPackage[] {
  const program = lastPart(words[0] ?? '', /[\\/]/)
    .toLowerCase()
    .replace(/\.(?:bat|cmd|exe|ps1)$/, '')
  const launcher = LAUNCHERS.find(({ words: [first, ...rest] }) => {
    return first === program && rest.every((word, i) => words[i + 1] === word)
  })
  if (launcher === undefined) return []
  const { pin, words: own } = launcher
  const names = packagesIn(words.slice(own.length), launcher).filter((name) => !/^(?:[./~]|file:)/.test(name))
  return names.map((name) => ({ launcher: own.join(' '), name, isPinned: pin(name) }))
}

/** The command that `env`, `cmd /c` or `sh -c` runs. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [program = '', option = ''] = words
  const name = lastPart(program, /[\\/]/).toLowerCase()
  if (/^(?:ba|da|z|k)?sh$/.test(name) && /^-\w*c$/.test(option)) return (words[2] ?? '').trim().split(/\s+/)
  if (/^cmd(?:\.exe)?$/.test(name) && /^\/c$/i.test(option)) return words.slice(2)
  if (name !== 'env') return words
  const first = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && !word.includes('='))
  return first < 0 ? [] : words.slice(first)
}

/** What a launcher fetches: the values of its options for that, otherwise its first argument. */
function packagesIn(args: readonly string[], { from = [], valued = [] }: Launcher): readonly string[] {
  const named: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    const [option = '', value] = arg.startsWith('--') ? splitOnce(arg, '=') : [arg]
    if (from.includes(option)) named.push(value ?? args[++i] ?? '')
    else if (valued.includes(option)) {
      if (value === undefined) i++
    } else if (arg !== '--' && !arg.startsWith('-')) return named.length > 0 ? named : [arg]
    else if (arg === '--') return named.length > 0 ? named : args.slice(i + 1, i + 2)
  }
  return named
}

function splitOnce(text: string, by: string): readonly [string, string?] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
