// Chromium: a job fetched from where the page came from, its answer posted back, and what the self-test says.
import { answer, selftest } from './answer.ts'

const job = await (await fetch('job')).arrayBuffer()
await fetch('selftest', { method: 'POST', body: JSON.stringify(await selftest()) })
await fetch('answer', { method: 'POST', body: await answer(new Uint8Array(job)) })
