import { ExpressionMetrics } from '../cel/index.ts';
import type { Counter, Family, Histogram, Meter } from '../meta/meter.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';
import type { AdmissionOperation } from './admission-request.ts';
import type { ConditionsResult } from './expressions/index.ts';

export type AdmissionPhase = 'admit' | 'validate';

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The durations of a phase of admission, by its outcome. A series exists once it has a value. */
export class PhaseDurations {
  readonly #series: (rejected: boolean) => Histogram;
  #admitted: Histogram | undefined;
  #rejected: Histogram | undefined;

  constructor(series: (rejected: boolean) => Histogram) {
    this.#series = series;
  }

  admittedAfter(ms: number): void {
    this.#admitted ??= this.#series(false);
    this.#admitted.observe(ms / 1000);
  }

  rejectedAfter(ms: number): void {
    this.#rejected ??= this.#series(true);
    this.#rejected.observe(ms / 1000);
  }
}

/** How a call of a webhook ended. */
export interface WebhookCall {
  readonly name: string;
  readonly isMutating: boolean;
  readonly operation: AdmissionOperation;
  readonly ms: number;
  /** The code of the webhook's verdict: 200, or the code of the rejection. 0 when there was no verdict. */
  readonly code: number;
  /** Whether the webhook rejected the request. */
  readonly rejected: boolean;
}

export interface PolicyCheck {
  readonly policy: string;
  /** The same object as long as the binding does not change. */
  readonly binding: { readonly name: string };
  readonly ms: number;
  readonly isError: boolean;
  /** The actions of the binding. */
  readonly actions: readonly string[];
}

interface PolicySeries {
  readonly checks: Counter;
  readonly durations: Histogram;
}

/** The match conditions of a webhook or a policy have been evaluated. */
export interface ConditionCheck {
  readonly kind: 'webhook' | 'policy';
  readonly name: string;
  /** The kind of admission, as kube-apiserver names it. */
  readonly type: 'admit' | 'validating' | 'mutate' | 'validate';
  readonly operation: AdmissionOperation;
  readonly ms: number;
  readonly result: ConditionsResult;
}

/** Reports what admission does, under the names of kube-apiserver. */
export class AdmissionMetrics {
  readonly #plugins: Family<Histogram>;
  readonly #steps: Family<Histogram>;
  readonly #webhookDurations: Family<Histogram>;
  readonly #webhookCalls: Family<Counter>;
  readonly #webhookRejections: Family<Counter>;
  readonly #webhookFailOpens: Family<Counter>;
  readonly #policyChecks: Family<Counter>;
  readonly #policyDurations: Family<Histogram>;
  readonly #expressions: ExpressionMetrics;
  /** The series of policies that have allowed a request, by binding. */
  readonly #allowed = new WeakMap<object, PolicySeries>();
  readonly #conditionDurations: Family<Histogram>;
  readonly #conditionErrors: Family<Counter>;
  readonly #exclusions: Family<Counter>;

  constructor(meter: Meter) {
    const call = ['name', 'type', 'operation'] as const;
    const check = ['policy', 'policy_binding', 'error_type', 'enforcement_action'] as const;
    this.#steps = meter.histogram({
      name: 'apiserver_admission_step_admission_duration_seconds',
      help: 'Duration of a phase of admission, in seconds.',
      labels: ['type', 'operation', 'rejected'],
      buckets,
    });
    this.#plugins = meter.histogram({
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: 'Duration of one admission plugin, in seconds.',
      labels: [...call, 'rejected'],
      buckets,
    });
    this.#webhookDurations = meter.histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Duration of the calls of admission webhooks, in seconds.',
      labels: [...call, 'rejected'],
      buckets: [...buckets, 10, 25],
    });
    this.#webhookCalls = meter.counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls of admission webhooks by the status code of their verdict.',
      labels: [...call, 'code', 'rejected'],
    });
    this.#webhookRejections = meter.counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests that admission webhooks, or failures to call them, have rejected.',
      labels: [...call, 'error_type', 'rejection_code'],
    });
    this.#webhookFailOpens = meter.counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Failures to call admission webhooks that were ignored.',
      labels: ['name', 'type'],
    });
    this.#policyChecks = meter.counter({
      name: 'apiserver_validating_admission_policy_check_total',
      help: 'Evaluations of validating admission policies by what followed.',
      labels: check,
    });
    this.#policyDurations = meter.histogram({
      name: 'apiserver_validating_admission_policy_check_duration_seconds',
      help: 'Duration of these evaluations, in seconds.',
      labels: check,
      buckets: [0.0000005, 0.001, 0.01, 0.1, 1],
    });
    this.#expressions = new ExpressionMetrics(meter);
    const condition = ['name', 'kind', 'type', 'operation'] as const;
    this.#conditionDurations = meter.histogram({
      name: 'apiserver_admission_match_condition_evaluation_seconds',
      help: 'Duration of the evaluation of match conditions, in seconds.',
      labels: condition,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    });
    this.#conditionErrors = meter.counter({
      name: 'apiserver_admission_match_condition_evaluation_errors_total',
      help: 'Match conditions that could not be evaluated.',
      labels: condition,
    });
    this.#exclusions = meter.counter({
      name: 'apiserver_admission_match_condition_exclusions_total',
      help: 'Requests that match conditions have excluded.',
      labels: condition,
    });
  }

  /** The durations of one plugin or, without a plugin, of the whole phase. */
  durations(phase: AdmissionPhase, operation: AdmissionOperation, plugin?: AdmissionPlugin): PhaseDurations {
    return new PhaseDurations((rejected) => {
      const labels = [phase, operation, String(rejected)] as const;
      return plugin === undefined ? this.#steps.of(...labels) : this.#plugins.of(plugin.name, ...labels);
    });
  }

  webhookCalled({ name, isMutating, operation, ms, code, rejected }: WebhookCall): void {
    const type = isMutating ? 'admit' : 'validating';
    // Codes outside the range of HTTP are counted as one.
    const known = Math.min(code, 600);
    this.#webhookDurations.of(name, type, operation, String(rejected)).observe(ms / 1000);
    this.#webhookCalls.of(name, type, operation, String(known), String(rejected)).add();
    if (rejected) {
      const errorType = code === 0 ? 'calling_webhook_error' : 'no_error';
      this.#webhookRejections.of(name, type, operation, errorType, String(known)).add();
    } else if (code === 0) {
      this.#webhookFailOpens.of(name, type).add();
    }
  }

  policyChecked({ policy, binding, ms, isError, actions }: PolicyCheck): void {
    this.#expressions.evaluated(ms);
    for (const action of actions) {
      const result = isError ? 'invalid_error' : 'no_error';
      const { checks, durations } = this.#policySeries(policy, binding.name, result, action);
      checks.add();
      durations.observe(ms / 1000);
    }
  }

  /** Like `policyChecked`, for a policy without denials: the usual case, in which the series are not looked up again. */
  policyAllowed({ policy, binding, ms }: Pick<PolicyCheck, 'policy' | 'binding' | 'ms'>): void {
    this.#expressions.evaluated(ms);
    let series = this.#allowed.get(binding);
    if (series === undefined) {
      series = this.#policySeries(policy, binding.name, 'no_error', 'allow');
      this.#allowed.set(binding, series);
    }
    series.checks.add();
    series.durations.observe(ms / 1000);
  }

  #policySeries(...labels: readonly [policy: string, binding: string, result: string, action: string]): PolicySeries {
    return { checks: this.#policyChecks.of(...labels), durations: this.#policyDurations.of(...labels) };
  }

  /** The expressions of a policy have been compiled. */
  compiled(ms: number): void {
    this.#expressions.compiled(ms);
  }

  conditionsChecked({ kind, name, type, operation, ms, result }: ConditionCheck): void {
    const labels = [name, kind, type, operation] as const;
    this.#conditionDurations.of(...labels).observe(ms / 1000);
    if (result.error !== undefined) this.#conditionErrors.of(...labels).add();
    else if (!result.matches) this.#exclusions.of(...labels).add();
  }
}
