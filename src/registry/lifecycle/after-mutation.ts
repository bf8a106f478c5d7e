import { managedFieldsProblem } from '../../merge/managed-fields/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { checkNamespaceMatch } from '../match-request.ts';
import type { ResourceContext } from '../resource-context.ts';
import { dropRepeatedOwners } from './repeated-owners.ts';

interface Mutation {
  /** The object before the mutation phase of admission. */
  readonly sent: ResourceObject;
  readonly mutated: ResourceObject;
  readonly namespace: string;
}

/** Checks and corrects an object after the mutation phase of admission. */
export function afterMutation(
  context: ResourceContext,
  { sent, mutated, namespace }: Mutation,
  warn: (text: string) => void,
): ResourceObject {
  dropRepeatedOwners(mutated, warn, { afterAdmission: true });
  // Only the server's own plugins change the object in place. They change neither the namespace nor the managed fields.
  if (mutated === sent) return mutated;
  checkNamespaceMatch(context, mutated, namespace);
  const problem = managedFieldsProblem(mutated.metadata.managedFields);
  if (problem !== undefined) {
    mutated.metadata.managedFields = sent.metadata.managedFields;
    const cause = 'this could be caused by an outdated mutating admission controller; please fix your requests';
    warn(`.metadata.managedFields was in an invalid state after admission; ${cause}: ${problem}`);
  }
  return mutated;
}
