/** Downloads bytes or text as a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser reads the URL after this task, so it must live a little longer.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
