import { element, toast } from './dom.ts'
import { type DroppedContent, ROOMS, type Room, type RoomRow } from './rooms.ts'
import { setUpTheme } from './saved.ts'

const [FIRST] = ROOMS
const opened = new Map<string, Promise<Room>>()
let current: Promise<Room>

/** Shows a room, and opens it on the first visit. */
function enter({ name, about, load }: RoomRow): Promise<Room> {
  element('about').textContent = about
  document.title = `Blazon: ${about}`
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

/** Keeps a room inert until its script has loaded: its buttons would do nothing. */
async function open(name: string, load: RoomRow['load']): Promise<Room> {
  const room = element(`room-${name}`)
  room.inert = true
  const opened = (await load()).open(edit)
  room.inert = false
  return opened
}

async function edit(text: string): Promise<void> {
  const room = await go(FIRST!)
  room.edit?.(text)
}

/** The room that the address names. */
const addressed = () => ROOMS.find(({ name }) => location.hash === `#${name}`) ?? FIRST!

/** The hash of the first room when the reader left it: it may hold a document. */
let firstHash = ''

/** Enters a room by its address, so that the Back button returns to the previous room. */
function go(row: RoomRow): Promise<Room> {
  const from = addressed()
  if (from === FIRST) firstHash = location.hash
  const hash = row === FIRST ? firstHash : `#${row.name}`
  if (row !== from) history.pushState(null, '', location.pathname + location.search + hash)
  return enter(row)
}

function droppedBy({ dataTransfer, target }: DragEvent): DroppedContent {
  const { items, files } = dataTransfer!
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return { files: [...files], entries, target }
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
  const dropped = droppedBy(event)
  current.then(
    (room) => room.drop(dropped),
    () => toast('The dropped file was ignored: this part of the page did not load.'),
  )
})

setUpTheme()
// Caches the page for use without a network. A page from a file does not need that.
if (location.protocol.startsWith('http') && 'serviceWorker' in navigator)
  navigator.serviceWorker.register('sw.js').catch(() => {
    // Some browsers refuse in private windows. Then the page needs the network.
  })
for (const row of ROOMS) {
  const button = element(`to-${row.name}`)
  button.addEventListener('click', () => go(row))
  // A reader who points at a button will probably press it, so the script is fetched early. Entering reports a failure.
  for (const near of ['focus', 'pointerenter']) button.addEventListener(near, () => row.load().catch(() => {}))
}
element('skip').addEventListener('click', (event) => {
  event.preventDefault()
  current.then((room) => room.focus())
})
addEventListener('hashchange', () => enter(addressed()))
enter(addressed())
