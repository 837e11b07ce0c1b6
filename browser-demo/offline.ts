/** Keeps the page for use without a network, where the browser allows it. Only a served page needs this, not a file. */
export function setUpOffline(): void {
  if (!location.protocol.startsWith('http') || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('sw.js').catch(() => {
    // Some private windows refuse. The page works, but not without a network.
  })
}
