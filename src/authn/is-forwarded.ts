/**
 * Names of headers that proxies, load balancers and content delivery networks add to the requests that they forward. A
 * rule by pattern, because each of them has names of its own, and a missing one would make a remote client local.
 */
const forwardingHeader = new RegExp(
  [
    // Standard headers, and others with a name that only proxies use.
    '^(?:via|cdn-loop|max-forwards|x-varnish|x-host)$',
    // `Forwarded`, `X-Forwarded-For`, `X-Original-Forwarded-For`, `X-Vercel-Forwarded-For`, ...
    '(?:^|-)forwarded(?:-|$)',
    // Who the client of the proxy is: `X-Real-IP`, `CF-Connecting-IPv6`, `X-Azure-ClientIP`, `Remote-Addr`, ...
    '-(?:client|socket)?ip(?:v[46])?$',
    '-addr(?:ess)?$',
    '(?:^|-)(?:client|connecting|real|remote|user|external|peer)-(?:host|port|proto|cert)$',
    // What the request was before the proxy changed it, and the families of single products.
    '^x-(?:original|real|proxy|proxyuser|envoy|azure|arr|akamai|appengine|goog-iap|amzn|amz-cf|vercel|nf|sucuri)-',
    '^(?:cf|cloudfront|fastly|fly|akamai|incap|tailscale|true-client|wl-proxy|proxy-client|do-connecting)-',
  ].join('|'),
);

/** Whether a proxy has forwarded the request, so that its client may be on another machine than its connection says. */
export function isForwarded(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    // Some proxies write underscores.
    if (forwardingHeader.test(rawHeaders[index]!.toLowerCase().replaceAll('_', '-'))) return true;
  }
  return false;
}
