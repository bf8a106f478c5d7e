import { type Counter, type Histogram, type Meter, noMeter } from '../../meta/meter.ts';

export type CallResult = 'success' | 'timeout' | 'error';

/** Reports what an authorization webhook and its match conditions do, under the names of kube-apiserver. */
export class WebhookMetrics {
  readonly #conditions: { readonly ms: Histogram; readonly errors: Counter; readonly exclusions: Counter };
  readonly #calls: (result: CallResult) => { readonly count: Counter; readonly ms: Histogram };
  readonly #failOpens: (result: CallResult) => Counter;

  /** `name` is that of the authorizer in the configuration. */
  constructor(name: string, meter: Meter = noMeter) {
    const conditionName = (tail: string): string => `apiserver_authorization_match_condition_${tail}`;
    const labels = ['type', 'name'] as const;
    this.#conditions = {
      ms: meter
        .histogram({
          name: conditionName('evaluation_seconds'),
          help: 'Duration of the evaluation of the match conditions of authorization webhooks, in seconds.',
          labels,
          buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
        })
        .of('Webhook', name),
      errors: meter
        .counter({
          name: conditionName('evaluation_errors_total'),
          help: 'Match conditions of authorization webhooks that could not be evaluated.',
          labels,
        })
        .of('Webhook', name),
      exclusions: meter
        .counter({
          name: conditionName('exclusions_total'),
          help: 'Requests that the match conditions of authorization webhooks have excluded.',
          labels,
        })
        .of('Webhook', name),
    };
    const byResult = ['name', 'result'] as const;
    const counts = meter.counter({
      name: 'apiserver_authorization_webhook_evaluations_total',
      help: 'Calls of authorization webhooks, by their result.',
      labels: byResult,
    });
    const durations = meter.histogram({
      name: 'apiserver_authorization_webhook_duration_seconds',
      help: 'Duration of calls of authorization webhooks, in seconds.',
      labels: byResult,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    const failOpens = meter.counter({
      name: 'apiserver_authorization_webhook_evaluations_fail_open_total',
      help: 'Requests that were passed on to the next authorizer because a webhook had failed.',
      labels: byResult,
    });
    this.#calls = (result) => ({ count: counts.of(name, result), ms: durations.of(name, result) });
    this.#failOpens = (result) => failOpens.of(name, result);
  }

  conditionsChecked(ms: number, outcome: 'match' | 'exclude' | 'error'): void {
    this.#conditions.ms.observe(ms / 1000);
    if (outcome === 'exclude') this.#conditions.exclusions.add();
    else if (outcome === 'error') this.#conditions.errors.add();
  }

  called(ms: number, result: CallResult): void {
    const call = this.#calls(result);
    call.count.add();
    call.ms.observe(ms / 1000);
  }

  failedOpen(result: CallResult): void {
    this.#failOpens(result).add();
  }
}
