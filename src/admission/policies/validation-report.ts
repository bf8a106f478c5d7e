import type { AdmissionRequest } from '../admission-request.ts';
import type { Denial, PolicyResult } from './evaluate-validating-policy.ts';
import type { NamedSpec } from './policy-objects.ts';
import type { ValidatingBindingSpec, ValidatingPolicy } from './validating-policy.ts';

const failureAnnotation = 'validation.policy.admission.k8s.io/validation_failure';

/** The source of a result. */
interface Source {
  readonly policy: Pick<ValidatingPolicy, 'name'>;
  /** Undefined when the policy itself is at fault. */
  readonly binding: NamedSpec<ValidatingBindingSpec> | undefined;
}

/** Collects the results of all policies for a request and does what their bindings say. */
export class ValidationReport {
  readonly #request: AdmissionRequest;
  readonly #annotations = new Map<string, Set<string>>();
  #denial: { message: string; reason: string } | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** The first one, which is reported to the client. */
  get denial(): { readonly message: string; readonly reason: string } | undefined {
    return this.#denial;
  }

  add(
    source: Source & { readonly binding: NamedSpec<ValidatingBindingSpec> },
    { denials, annotations }: PolicyResult,
  ): void {
    const { policy, binding } = source;
    for (const denial of denials) {
      if (denial.isFinal) this.deny(source, denial);
      else for (const action of binding.spec.validationActions ?? []) this.#act(action, source, denial);
    }
    for (const { key, value } of annotations) {
      const name = `${policy.name}/${key}`;
      this.#annotations.set(name, (this.#annotations.get(name) ?? new Set()).add(value));
    }
  }

  deny({ policy, binding }: Source, { message: detail, reason }: Pick<Denial, 'message' | 'reason'>): void {
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    const message = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${detail}`;
    this.#denial ??= { message, reason };
    this.#request.explain?.({
      plugin: 'ValidatingAdmissionPolicy',
      source: binding === undefined ? `policy ${policy.name}` : `policy ${policy.name}, binding ${binding.name}`,
      phase: 'validate',
      denied: detail,
    });
  }

  /** Writes the audit annotations of the policies. Bindings may have found different values for one key. */
  publish(): void {
    for (const [key, values] of this.#annotations) this.#request.annotate(key, [...values].join(', '));
  }

  #act(action: string, source: Source & { readonly binding: NamedSpec<ValidatingBindingSpec> }, denial: Denial): void {
    const { policy, binding } = source;
    const { index: expressionIndex, message } = denial;
    if (action === 'Deny') this.deny(source, denial);
    else if (action === 'Warn') {
      this.#request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      );
    } else if (action === 'Audit') {
      const { validationActions } = binding.spec;
      const failure = { message, policy: policy.name, binding: binding.name, expressionIndex, validationActions };
      this.#request.annotate(failureAnnotation, JSON.stringify([failure]));
    }
  }
}
