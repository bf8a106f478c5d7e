import { healthEndpoints } from './health-check.ts';
import type { HealthChecks } from './health-checks.ts';

type HookState = { readonly step: 'pending' | 'done' } | { readonly step: 'failed'; readonly error: Error };

interface Hook {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  state: HookState;
}

/** Work that starts when the server listens. Each hook shows as a check `poststarthook/<name>` until it is done. */
export class PostStartHooks {
  readonly #health: HealthChecks;
  readonly #hooks: Hook[] = [];
  #started = false;

  constructor(health: HealthChecks) {
    this.#health = health;
  }

  /** `run` resolves when the work is done, not when it has started, and settles soon after its signal aborts. */
  add(name: string, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.#started) throw new Error(`post start hook ${name} was added after the start`);
    const hook: Hook = { name, run, state: { step: 'pending' } };
    this.#health.add({
      name: `poststarthook/${name}`,
      endpoints: healthEndpoints,
      bootSequence: true,
      run: () => {
        const { state } = hook;
        if (state.step === 'pending') throw new Error('not finished');
        if (state.step === 'failed') throw new Error(`failed: ${state.error.message}`, { cause: state.error });
      },
    });
    this.#hooks.push(hook);
  }

  /** Runs all hooks concurrently. Resolves when all are done. If any failed, rejects after the last has settled. */
  async start(signal: AbortSignal): Promise<void> {
    this.#started = true;
    await Promise.all(this.#hooks.map((hook) => runHook(hook, signal)));
    const errors = this.#hooks.flatMap(({ name, state }) =>
      state.step === 'failed'
        ? [new Error(`post start hook ${name} failed: ${state.error.message}`, { cause: state.error })]
        : [],
    );
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '));
  }
}

async function runHook(hook: Hook, signal: AbortSignal): Promise<void> {
  try {
    await hook.run(signal);
    hook.state = { step: 'done' };
  } catch (error) {
    hook.state = { step: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}
