import { toast } from './announce.ts'

/** Copies text and says so; false where the browser refuses, with what to do then. */
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
