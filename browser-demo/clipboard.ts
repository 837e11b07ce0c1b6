import { toast } from './announce.ts'

/** Copies text and shows a message. False if the browser refuses; the message then says what to do. */
export async function copyText(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast(done)
    return true
  } catch {
    toast('This browser does not let the page copy. Select the text and copy it by hand.')
    return false
  }
}
