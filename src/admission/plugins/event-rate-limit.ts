import { joinedErrors } from '../../meta/joined-errors.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';

export const eventLimitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

/** A limit on the writes of events: of all together, or for each namespace, user or origin. */
export interface EventLimit {
  readonly type: (typeof eventLimitTypes)[number];
  /** Writes per second. */
  readonly qps: number;
  /** Writes that may be made at once. */
  readonly burst: number;
  /** How many namespaces, users or origins are remembered. */
  readonly cacheSize: number;
}

/** Rejects events that arrive too fast, so that they do not fill the store. */
export function eventRateLimit(
  limits: readonly EventLimit[],
  now: () => number = () => performance.now(),
): AdmissionPlugin {
  const enforced = limits.map((limit) => ({ limit, buckets: new TokenBuckets(limit, now) }));
  return {
    name: 'EventRateLimit',
    rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/events'] }],
    validate(request) {
      if (request.dryRun) return;
      const reached = enforced.flatMap(({ limit: { type }, buckets }) => {
        const key = keyOf(type, request);
        return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (reached.length === 0) return;
      throw new StatusError({ code: 429, reason: 'TooManyRequests', message: joinedErrors(reached) });
    },
  };
}

function keyOf(type: EventLimit['type'], { namespace, user, object }: AdmissionRequest): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const { source, involvedObject } = object as unknown as EventOrigin;
  const { kind, namespace: within, name, uid, apiVersion } = involvedObject ?? {};
  return [source?.component, source?.host, kind, within, name, uid, apiVersion].join('');
}

interface EventOrigin {
  readonly source?: { readonly component?: string; readonly host?: string } | null;
  readonly involvedObject?: Readonly<
    Partial<Record<'kind' | 'namespace' | 'name' | 'uid' | 'apiVersion', string>>
  > | null;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** One bucket for each key. The least recently used ones are forgotten, which means that they are full again. */
class TokenBuckets {
  readonly #limit: EventLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: EventLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Whether there was a token. */
  take(key: string): boolean {
    const { qps, burst, cacheSize } = this.#limit;
    const now = this.#now();
    const { tokens, filledAt } = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + ((now - filledAt) / 1000) * qps);
    const isTaken = filled >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isTaken ? filled - 1 : filled, filledAt: now });
    if (this.#buckets.size > cacheSize) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest!);
    }
    return isTaken;
  }
}
