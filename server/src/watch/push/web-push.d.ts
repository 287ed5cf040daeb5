/** The part of the package that we use; it brings no types of its own. */
declare module 'web-push' {
  interface Subscription {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  interface Options {
    readonly vapidDetails: {
      readonly subject: string
      readonly publicKey: string
      readonly privateKey: string
    }
    readonly TTL: number
    readonly urgency: 'very-low' | 'low' | 'normal' | 'high'
    readonly topic: string
    readonly contentEncoding: 'aes128gcm'
  }
  interface WebPush {
    generateVAPIDKeys(): { readonly publicKey: string; readonly privateKey: string }
    generateRequestDetails(
      subscription: Subscription,
      payload: string,
      options: Options,
    ): { readonly headers: Readonly<Record<string, string | number>>; readonly body: Buffer }
  }
  const webPush: WebPush
  export default webPush
}
