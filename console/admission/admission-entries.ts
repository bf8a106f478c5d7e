import type { ApiObject } from '../api/api-object.ts';

/** A policy or a webhook, as a table shows it. */
export interface AdmissionEntry {
  /** The name of the object that contains the policy or webhook. */
  readonly object: string;
  readonly name: string;
  /** The requests for which it is called, such as `create, update pods`. */
  readonly sees: readonly string[];
  readonly failurePolicy: string;
  /** The bindings of a policy, or the address of a webhook. */
  readonly targets: readonly string[];
}

interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
}

interface Policy {
  readonly matchConstraints?: { readonly resourceRules?: readonly Rule[] };
  readonly failurePolicy?: string;
}

interface Webhook {
  readonly name: string;
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: string;
  readonly clientConfig?: {
    readonly url?: string;
    readonly service?: { readonly name: string; readonly namespace: string };
  };
}

interface PolicyBinding {
  readonly policyName?: string;
  readonly validationActions?: readonly string[];
}

export function policyEntries(policies: readonly ApiObject[], bindings: readonly ApiObject[]): AdmissionEntry[] {
  return policies.map(({ metadata, spec }) => {
    const { matchConstraints, failurePolicy = 'Fail' } = (spec ?? {}) as Policy;
    const targets = bindings
      .filter((binding) => ((binding.spec ?? {}) as PolicyBinding).policyName === metadata.name)
      .map((binding) => {
        const actions = ((binding.spec ?? {}) as PolicyBinding).validationActions ?? [];
        return actions.length > 0 ? `${binding.metadata.name} (${actions.join(', ')})` : binding.metadata.name;
      });
    const sees = (matchConstraints?.resourceRules ?? []).map(describeRule);
    return { object: metadata.name, name: metadata.name, sees, failurePolicy, targets };
  });
}

export function webhookEntries(configurations: readonly ApiObject[]): AdmissionEntry[] {
  return configurations.flatMap(({ metadata, webhooks }) =>
    ((webhooks ?? []) as readonly Webhook[]).map(({ name, rules = [], failurePolicy = 'Fail', clientConfig }) => ({
      object: metadata.name,
      name,
      sees: rules.map(describeRule),
      failurePolicy,
      targets: [clientConfig?.url ?? `${clientConfig?.service?.namespace}/${clientConfig?.service?.name}`],
    })),
  );
}

function describeRule({ operations = [], apiGroups = [], resources = [] }: Rule): string {
  const types = resources.map((resource) =>
    apiGroups.join() === '' ? resource : `${resource}.${apiGroups.join('|')}`,
  );
  return `${operations.map((operation) => operation.toLowerCase()).join(', ')} ${types.join(', ')}`;
}
