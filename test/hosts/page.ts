// Chromium: a job fetched from where the page came from, its answer posted back.
import { answer } from './answer.ts'

const job = await (await fetch('job')).arrayBuffer()
await fetch('answer', { method: 'POST', body: await answer(new Uint8Array(job)) })
