/** Returns a kubeconfig for a server with its own CA. */
export function kubeconfigFor({
  url,
  authority,
}: {
  readonly url: URL;
  readonly authority: { readonly cert: string };
}) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'hook',
        cluster: { server: url.href, 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') },
      },
    ],
    users: [{ name: 'server', user: {} }],
    contexts: [{ name: 'hook', context: { cluster: 'hook', user: 'server' } }],
    'current-context': 'hook',
  });
}
