import { readKubeconfig } from '../client/kubeconfig.ts';
import { networkFetch } from '../client/network-fetch.ts';
import { readText } from '../client/read-text.ts';

const timeoutMs = 5000;

/**
 * Requests a sign-in link for the user of a kubeconfig. Rejects when the server cannot be reached or has no console,
 * and with a RangeError when the kubeconfig is invalid.
 */
export async function readSignInLink(kubeconfig: string): Promise<string> {
  const access = readKubeconfig(kubeconfig);
  const { fetch, close } = networkFetch(access, { timeoutMs });
  try {
    const response = await fetch({ method: 'POST', path: '/console/links' });
    const text = await readText(response);
    if (response.status === 200) return new URL(JSON.parse(text).path, access.url).href;
    if (response.status === 401) throw new Error('the server does not accept the credentials of the kubeconfig');
    throw new Error(`the server does not serve the console (--console): status ${response.status}`);
  } finally {
    close();
  }
}
