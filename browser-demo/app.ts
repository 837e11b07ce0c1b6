import { toast } from './announce.ts'
import { element } from './dom.ts'
import { setUpOffline } from './offline.ts'
import { ROOMS, type Room } from './rooms.ts'
import { setUpTheme } from './theme.ts'

const [FIRST] = ROOMS
const opened = new Map<string, Promise<Room>>()
let current: Promise<Room>

/** Shows a room, and opens it on the first visit. */
function enter({ name, load }: (typeof ROOMS)[number]): Promise<Room> {
  for (const row of ROOMS) {
    element(`room-${row.name}`).hidden = row.name !== name
    element(`to-${row.name}`).setAttribute('aria-current', row.name === name ? 'page' : 'false')
  }
  current = opened.get(name) ?? open(name, load)
  opened.set(name, current)
  current.catch((error: Error) => {
    opened.delete(name)
    toast(error.message)
  })
  return current
}

/** Keeps a room inert until its script is there, so that nobody presses a dead button. */
async function open(name: string, load: (typeof ROOMS)[number]['load']): Promise<Room> {
  const room = element(`room-${name}`)
  room.inert = true
  try {
    return await (await load()).open(edit)
  } finally {
    room.inert = false
  }
}

async function edit(text: string): Promise<void> {
  const room = await enter(FIRST!)
  room.edit?.(text)
}

function follow(): void {
  enter(ROOMS.find(({ name }) => location.hash === `#${name}`) ?? FIRST!)
}

const carriesFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
addEventListener('dragover', (event) => {
  if (!carriesFile(event)) return
  event.preventDefault()
  document.body.classList.add('dropping')
})
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('dropping')
})
addEventListener('drop', (event) => {
  document.body.classList.remove('dropping')
  if (!carriesFile(event)) return
  event.preventDefault()
  current.then((room) => room.drop(event.dataTransfer!))
})

setUpTheme()
setUpOffline()
for (const row of ROOMS) {
  const door = element(`to-${row.name}`)
  door.addEventListener('click', () => enter(row))
  // A reader who comes near will probably enter, so the script is fetched early. If that fails, entering reports it.
  for (const near of ['focus', 'pointerenter']) door.addEventListener(near, () => row.load().catch(() => {}))
}
addEventListener('hashchange', follow)
follow()
