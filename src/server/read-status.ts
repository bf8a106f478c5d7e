import { readKubeconfig } from '../client/kubeconfig.ts';
import { networkFetch } from '../client/network-fetch.ts';
import { readText } from '../client/read-text.ts';
import { statusPath } from '../http/document-route.ts';
import type { ServerStatus } from './server-status.ts';

/** The state of a server as read from its API. */
export interface ObservedServer {
  readonly url: string;
  /** The version of the Kubernetes API. */
  readonly apiVersion: string;
  /** Whether `/readyz` succeeds. */
  readonly ready: boolean;
  /** The number of health checks, and those that fail. */
  readonly checks: number;
  readonly failing: readonly string[];
  /** Undefined when it cannot be read. `problem` then contains the reason. */
  readonly status: ServerStatus | undefined;
  readonly problem: string | undefined;
}

const timeoutMs = 5000;

/**
 * Reads the status of the server of a kubeconfig. Rejects when it cannot be reached, and with a RangeError when the
 * kubeconfig is invalid.
 */
export async function readStatus(kubeconfig: string): Promise<ObservedServer> {
  const access = readKubeconfig(kubeconfig);
  const { fetch, close } = networkFetch(access, { timeoutMs });
  const get = async (path: string): Promise<{ readonly code: number; readonly text: string }> => {
    const response = await fetch({ method: 'GET', path });
    return { code: response.status, text: await readText(response) };
  };
  try {
    const version = await get('/version');
    const health = await get('/readyz?verbose');
    const own = await get(`${statusPath}?timeout=${timeoutMs - 1000}ms`).catch((error: Error) => error);
    const lines = health.text.split('\n').filter((line) => /^\[[+-]\]/.test(line));
    return {
      url: access.url.href,
      apiVersion: version.code === 200 ? String(JSON.parse(version.text).gitVersion) : 'unknown',
      ready: health.code === 200,
      checks: lines.length,
      failing: lines.filter((line) => line.startsWith('[-]')).map((line) => line.slice('[-]'.length)),
      ...statusOf(own),
    };
  } finally {
    close();
  }
}

function statusOf(
  response: { readonly code: number; readonly text: string } | Error,
): Pick<ObservedServer, 'status' | 'problem'> {
  if (response instanceof Error) return { status: undefined, problem: response.message };
  const body = JSON.parse(response.text);
  if (response.code === 200) return { status: body, problem: undefined };
  return { status: undefined, problem: String(body.message ?? response.code) };
}
