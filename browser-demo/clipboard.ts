import { toast } from './announce.ts'

/** Copies text and says so, or says what to do where the browser refuses. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(done)
  } catch {
    toast('This browser does not let the page copy. Select the text and copy it by hand.')
  }
}
