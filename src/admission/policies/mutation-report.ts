import { jsonDiff } from '../../merge/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from '../plugins/admission-forbidden.ts';
import type { NamedSpec, PolicySpec } from './policy-objects.ts';

/** The source of a change or a problem. */
interface Source {
  readonly policy: NamedSpec<PolicySpec>;
  /** Undefined when the policy itself is at fault. */
  readonly binding: { readonly name: string } | undefined;
}

/** Collects what the policies did to a request, and the problems that reject it. */
export class MutationReport {
  readonly #request: AdmissionRequest;
  readonly #messages: string[] = [];
  #reason: string | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  changed(source: Source, before: ResourceObject, after: ResourceObject): void {
    const { explain } = this.#request;
    if (explain === undefined) return;
    explain({ ...stepOf(source), patch: jsonDiff(before, after) });
  }

  /** A problem rejects the request unless the failure policy of the policy is `Ignore`. */
  fail(source: Source, problem: string, reason = 'Forbidden'): void {
    const { policy, binding } = source;
    if (policy.spec.failurePolicy === 'Ignore') return;
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    this.#messages.push(`policy '${policy.name}'${by} denied request: ${problem}`);
    this.#reason ??= reason;
    this.#request.explain?.({ ...stepOf(source), denied: problem });
  }

  /** The rejection for all problems. The first one is its message. */
  get rejection(): StatusError | undefined {
    const [message] = this.#messages;
    if (message === undefined) return undefined;
    const causes = this.#messages.map((text) => ({ message: text }));
    const { code, details } = admissionForbidden(this.#request, '', causes).status;
    return new StatusError({ code, reason: this.#reason!, message, ...(details && { details }) });
  }
}

function stepOf({ policy, binding }: Source) {
  const source = binding === undefined ? `policy ${policy.name}` : `policy ${policy.name}, binding ${binding.name}`;
  return { plugin: 'MutatingAdmissionPolicy', phase: 'mutate', source } as const;
}
