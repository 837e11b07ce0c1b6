/** Keeps the page for use without a network, where the browser allows it: served pages only, files need no help. */
export function setUpOffline(): void {
  if (!location.protocol.startsWith('http') || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('sw.js').catch(() => {
    // Some private windows refuse. The page works, only not without a network.
  })
}
