import { untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';
import { ignoreNotFound } from './ignore-not-found.ts';

const policies = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};
/** The manager of the fields that the controller writes. */
const fieldManager = 'validatingadmissionpolicy-status';

/** The warnings about the expression in a field. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Checks the expressions of a policy against the types that the policy is for. */
export type CheckTypes = (policy: ResourceObject) => Promise<readonly ExpressionWarning[]>;

interface Policy extends ResourceObject {
  readonly status?: { readonly observedGeneration?: number };
}

/** Type-checks the expressions of validating admission policies and writes the warnings into their status. */
export function validatingAdmissionPolicyStatus(checkTypes: CheckTypes): Controller {
  return {
    name: 'validatingadmissionpolicy-status-controller',
    aliases: [fieldManager],

    async run({ client, informers, queue: makeQueue }, signal) {
      const informer = informers.informer<Policy>(policies);
      const queue = makeQueue(async (name) => {
        const policy = informer.get('', name);
        if (policy === undefined || isChecked(policy)) return;
        const { generation, uid } = policy.metadata;
        const expressionWarnings = await checkTypes(policy);
        const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
        const applied = {
          apiVersion: `${policies.group}/${policies.version}`,
          kind: 'ValidatingAdmissionPolicy',
          // The uid prevents writing the result to a policy that was recreated with the same name.
          metadata: { name, uid },
          status: { observedGeneration: generation, typeChecking },
        };
        const options = { type: 'apply', subresource: 'status', fieldManager, force: true } as const;
        await client.resource(policies).patchOnly(name, applied, options).catch(ignoreNotFound);
      });
      const enqueue = ({ metadata }: Policy): void => queue.add(metadata.name ?? '');
      informer.addHandler({ added: enqueue, updated: enqueue });
      await untilAborted(signal);
    },
  };
}

function isChecked({ metadata, status }: Policy): boolean {
  return ((metadata.generation as number | undefined) ?? 0) <= (status?.observedGeneration ?? 0);
}
