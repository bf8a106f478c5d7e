import type { Counter, Family, Histogram, Meter } from '../../meta/meter.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestStage } from './request-stages.ts';

/** The buckets from 1 ms to 16 s. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

interface AttemptInstruments {
  readonly filter: string;
  readonly counter: string;
  readonly histogram: string;
  readonly about: string;
}

/** The filter that limits requests, by its name in kube-apiserver: by priority and fairness, or by their number. */
export type Limiter = 'priorityandfairness' | 'maxinflight';

/** The user names that kube-apiserver distinguishes. The others are too many for labels. */
const knownUsers = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

/**
 * Counts authentication attempts and authorization decisions. Synchronous decisions count as zero seconds.
 */
export class AccessMetrics {
  readonly #authentication: Readonly<Record<'success' | 'failure' | 'error', Attempts>>;
  readonly #authorization: Readonly<Record<'allowed' | 'denied' | 'no-opinion' | 'error', Attempts>>;
  readonly #users: Family<Counter>;
  /** The durations of the other filters that a request passes before it is authorized. */
  readonly #audit: Histogram;
  readonly #impersonation: Histogram;
  readonly #limit: Histogram;
  /** The user of the last request: consecutive requests often have the same user. */
  #lastUser: UserInfo | undefined;
  #requestsOfLast: Counter;

  /** `limiter` is the name of the filter that limits requests. */
  constructor(meter: Meter, limiter: Limiter) {
    const filters = filterDurations(meter);
    this.#audit = filters.of('audit');
    this.#impersonation = filters.of('impersonation');
    this.#limit = filters.of(limiter);
    const authentication = attempts(meter, {
      filter: 'authentication',
      counter: 'authentication_attempts',
      histogram: 'authentication_duration_seconds',
      about: 'authentication of requests',
    });
    const authorization = attempts(meter, {
      filter: 'authorization',
      counter: 'authorization_attempts_total',
      histogram: 'authorization_duration_seconds',
      about: 'authorization of requests',
    });
    this.#authentication = {
      success: authentication('success'),
      failure: authentication('failure'),
      error: authentication('error'),
    };
    this.#authorization = {
      allowed: authorization('allowed'),
      denied: authorization('denied'),
      'no-opinion': authorization('no-opinion'),
      error: authorization('error'),
    };
    this.#users = meter.counter({
      name: 'authenticated_user_requests',
      help: 'Requests of users that are known by name, and of others.',
      labels: ['username'],
    });
    this.#requestsOfLast = this.#users.of('other');
  }

  /** Called when the handler is done. `status` is that of the response. */
  handled(context: RequestContext, status: number): void {
    const { user, decision } = context;
    if (user === undefined) {
      this.#authentication[status === 401 ? 'failure' : 'error'].add(msOf('authentication', context));
      return;
    }
    this.#requestsOf(context.impersonator ?? user).add();
    this.#authentication.success.add(msOf('authentication', context));
    this.#audit.observe(0);
    if (decision === undefined) return;
    this.#impersonation.observe(msOf('impersonation', context) / 1000);
    this.#limit.observe(msOf('queue', context) / 1000);
    const result = decision.decision === 'allow' ? 'allowed' : decision.decision === 'deny' ? 'denied' : 'no-opinion';
    const isError = decision.error !== undefined && result !== 'allowed';
    this.#authorization[isError ? 'error' : result].add(msOf('authorization', context));
  }

  #requestsOf(user: UserInfo): Counter {
    if (user === this.#lastUser) return this.#requestsOfLast;
    const { name } = user;
    this.#lastUser = user;
    this.#requestsOfLast = this.#users.of(knownUsers.has(name) ? name : name.includes('@') ? 'email_id' : 'other');
    return this.#requestsOfLast;
  }
}

function msOf(stage: RequestStage, { stages, startedAt }: RequestContext): number {
  return stages === undefined ? 0 : stages.msOf(stage, startedAt);
}

/** Counts the attempts with one result. */
class Attempts {
  readonly #count: Counter;
  readonly #durations: readonly Histogram[];

  constructor(count: Counter, durations: readonly Histogram[]) {
    this.#count = count;
    this.#durations = durations;
  }

  add(ms: number): void {
    this.#count.add();
    for (const duration of this.#durations) duration.observe(ms / 1000);
  }
}

function filterDurations(meter: Meter): Family<Histogram> {
  return meter.histogram({
    name: 'apiserver_request_filter_duration_seconds',
    help: 'Duration of the steps before the handler of a request, in seconds.',
    labels: ['filter'],
    buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
  });
}

function attempts(meter: Meter, { filter, counter, histogram, about }: AttemptInstruments) {
  const labels = ['result'] as const;
  const counts = meter.counter({ name: counter, help: `${about} by its result.`, labels });
  const durations = meter.histogram({ name: histogram, help: `Duration of ${about}, in seconds.`, labels, buckets });
  const filters = filterDurations(meter);
  return (result: string): Attempts => new Attempts(counts.of(result), [durations.of(result), filters.of(filter)]);
}
