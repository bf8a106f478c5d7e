import { connectionFailure, DeadlineError, HttpTarget } from '../client/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import { checkFieldSelector, parseFieldSelector } from '../meta/field-selector.ts';
import { parseLabelSelector } from '../meta/label-selector.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { notFound } from '../meta/status-error.ts';
import { listVersion, type Verbs } from '../registry/index.ts';

const type = { group: '', version: 'v1', kind: 'ComponentStatus' };
const probeTimeoutMs = 2000;
const maxResponseBytes = 64 * 1024;
const maxShownLength = 1024;

/** Resolves with the message of a healthy component; rejects when it is unhealthy. */
export type ComponentProbe = () => Promise<string>;

interface ComponentStatusesOptions {
  readonly probes: Readonly<Record<string, ComponentProbe>>;
  /** The latest revision of the store. */
  readonly revision: () => MaybePromise<number>;
  /** What decides where the specification and kube-apiserver differ. */
  readonly compatibility: Compatibility;
}

/** The health of the cluster components other than the API server. */
export function componentStatuses({ probes, revision, compatibility }: ComponentStatusesOptions): Verbs {
  const named = async (name: string): Promise<object> => ({
    metadata: { name },
    conditions: [await healthCondition(probes[name]!)],
  });
  return {
    async get({ name }) {
      if (!Object.hasOwn(probes, name)) throw notFound({ group: '', resource: 'componentstatus' }, name);
      return documentOf(await named(name));
    },
    async list(request) {
      const { fieldSelector, labelSelector } = request;
      // There is only one state, but invalid combinations of options are rejected as for other lists.
      listVersion(request);
      const fields = parseFieldSelector(fieldSelector);
      checkFieldSelector(fields, { ...type, rules: undefined });
      const labels = parseLabelSelector(labelSelector);
      const names = Object.keys(probes).filter(
        (name) =>
          labels.matches(undefined) &&
          fields.requirements.every(
            ({ field, operator, value }) => ((field === 'metadata.name' ? name : '') === value) === (operator === '='),
          ),
      );
      const resourceVersion = compatibility.versionOfComponentStatuses ? String(await revision()) : '';
      const statuses = await Promise.all(names.map(named));
      const documents = statuses.map(documentOf);
      return {
        kind: 'ComponentStatusList',
        apiVersion: 'v1',
        resourceVersion,
        continueToken: compatibility.emptyContinue ? '' : undefined,
        remainingItemCount: undefined,
        count: documents.length,
        bytes: documents.reduce((sum, { length }) => sum + length, 0),
        documents: () => [{ identity: undefined, documents: () => documents }],
        items: () => statuses.map((status) => Buffer.from(`,${encodeJson(status)}`)),
      };
    },
  };
}

function documentOf(status: object): Buffer {
  return Buffer.from(`${encodeJson({ kind: 'ComponentStatus', apiVersion: 'v1', ...status })}\n`);
}

async function healthCondition(probe: ComponentProbe): Promise<object> {
  try {
    return { type: 'Healthy', status: 'True', message: await probe() };
  } catch (error) {
    return { type: 'Healthy', status: 'False', message: (error as Error).message };
  }
}

/** Probes the health endpoint of a Kubernetes component on this machine. */
export function localProbe(port: number, timeoutMs = probeTimeoutMs): ComponentProbe {
  const url = new URL(`https://127.0.0.1:${port}/healthz`);
  return async () => {
    // The probe sends no secrets, and the component may have a self-signed certificate.
    const target = new HttpTarget({ url, insecureSkipTlsVerify: true });
    const get = { path: url.pathname, headers: {}, maxResponseBytes, timeoutMs };
    const { status, body } = await target
      .get(get)
      .catch((cause: Error) => {
        const problem = cause instanceof DeadlineError ? 'context deadline exceeded' : connectionFailure(cause);
        throw new Error(`Get "${url}": ${problem}`, { cause });
      })
      .finally(() => target.close());
    if (body === undefined) throw new Error(`Get "${url}": the response is larger than ${maxResponseBytes} bytes`);
    const text = body.toString().slice(0, maxShownLength);
    if (status !== 200) throw new Error(text || `the response has status ${status}`);
    return text;
  };
}
