import { request as httpsRequest } from 'node:https';
import type { TestApi } from './api.ts';

// Priority levels and flow schemas for tests, and functions that show their effect on requests.

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
export const levels = `${group}/prioritylevelconfigurations`;
export const schemas = `${group}/flowschemas`;
export const debug = '/debug/api_priority_and_fairness';
export const configMaps = '/api/v1/namespaces/default/configmaps';

/** Headers to impersonate a user who is not an administrator. */
export const as = (user: string) => ({ headers: { 'impersonate-user': user, 'impersonate-group': 'dev' } });

export const limited = (shares: number, queuing?: { queues: number; handSize: number; queueLengthLimit: number }) => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    borrowingLimitPercent: 0,
    limitResponse: queuing === undefined ? { type: 'Reject' } : { type: 'Queue', queuing },
  },
});

export const forUser = (name: string, level: string) => ({
  priorityLevelConfiguration: { name: level },
  matchingPrecedence: 50,
  distinguisherMethod: { type: 'ByUser' },
  rules: [
    {
      subjects: [{ kind: 'User', user: { name } }],
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    },
  ],
});

interface Creation {
  readonly user: string;
  readonly name: string;
  readonly data?: Readonly<Record<string, string>>;
  /** By default the timeout of the server. */
  readonly timeout?: string;
}

/** Sends a create without its body, so that it holds its seat until the body is sent. */
export function heldCreate(api: TestApi, { user, name, data, timeout = '0s' }: Creation) {
  const body = JSON.stringify({ metadata: { name }, data });
  const { headers } = as(user);
  const sent = httpsRequest(new URL(`${configMaps}?timeout=${timeout}`, api.server.url), {
    ...api.tls,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
  });
  sent.write(body.slice(0, 5));
  return { status, finish: () => sent.end(body.slice(5)), abort: () => sent.destroy() };
}

/** Returns the rows of a debug page, keyed by the names of its columns. */
export async function rows(api: TestApi, page: string): Promise<Record<string, string>[]> {
  const { text } = await api.get(`${debug}/${page}`);
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const columns = head.split(',').map((name) => name.trim());
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at] ?? '', cell.trim()])));
}

export const levelRow = async (api: TestApi, name: string): Promise<Record<string, string>> =>
  (await rows(api, 'dump_priority_levels')).find(({ PriorityLevelName }) => PriorityLevelName === name)!;
