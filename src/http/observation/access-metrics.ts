import type { Counter, Family, Histogram, Meter } from '../../meta/meter.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { RequestContext } from '../request-context.ts';

/** From 1 ms to 16 s. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

interface Attempts {
  readonly count: Counter;
  readonly duration: Histogram;
}

/** The names of users that kube-apiserver tells apart. There are too many others. */
const knownUsers = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

/** Counts who is let in, and what they are allowed to do. Decisions made at once count as no time. */
export class AccessMetrics {
  readonly #authentication: Readonly<Record<'success' | 'failure' | 'error', Attempts>>;
  readonly #authorization: Readonly<Record<'allowed' | 'denied' | 'no-opinion' | 'error', Attempts>>;
  readonly #users: Family<Counter>;
  /** The user of the last request: many requests of a user come together. */
  #lastUser: UserInfo | undefined;
  #requestsOfLast: Counter;

  constructor(meter: Meter) {
    const attempts = (counter: string, histogram: string, about: string): ((result: string) => Attempts) => {
      const labels = ['result'] as const;
      const counts = meter.counter({ name: counter, help: `${about} by its result.`, labels });
      const durations = meter.histogram({
        name: histogram,
        help: `Duration of ${about}, in seconds.`,
        labels,
        buckets,
      });
      return (result) => ({ count: counts.of(result), duration: durations.of(result) });
    };
    const authentication = attempts(
      'authentication_attempts',
      'authentication_duration_seconds',
      'authentication of requests',
    );
    const authorization = attempts(
      'authorization_attempts_total',
      'authorization_duration_seconds',
      'authorization of requests',
    );
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
    const { stages, startedAt } = context;
    const authenticationMs = stages === undefined ? 0 : stages.msOf('authentication', startedAt);
    const authorizationMs = stages === undefined ? 0 : stages.msOf('authorization', startedAt);
    if (user === undefined) {
      const { count, duration } = this.#authentication[status === 401 ? 'failure' : 'error'];
      count.add();
      duration.observe(authenticationMs / 1000);
      return;
    }
    const { success } = this.#authentication;
    success.count.add();
    success.duration.observe(authenticationMs / 1000);
    this.#requestsOf(context.impersonator ?? user).add();
    if (decision === undefined) return;
    const result = decision.decision === 'allow' ? 'allowed' : decision.decision === 'deny' ? 'denied' : 'no-opinion';
    const { count, duration } =
      this.#authorization[decision.error !== undefined && result !== 'allowed' ? 'error' : result];
    count.add();
    duration.observe(authorizationMs / 1000);
  }

  #requestsOf(user: UserInfo): Counter {
    if (user === this.#lastUser) return this.#requestsOfLast;
    const { name } = user;
    this.#lastUser = user;
    this.#requestsOfLast = this.#users.of(knownUsers.has(name) ? name : name.includes('@') ? 'email_id' : 'other');
    return this.#requestsOfLast;
  }
}
