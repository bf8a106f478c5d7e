import type { Attributes, Authorizer, Decision } from '../../authz/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { type ExpressionInput, ExpressionInputs } from './expression-input.ts';

/** An authorizer that decides with a function, and counts its calls. */
export function testAuthorizer(decide: (attributes: Attributes) => MaybePromise<Decision>) {
  const authorized: Attributes[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      authorized.push(attributes);
      return decide(attributes);
    },
  };
  return { authorizer, authorized };
}

const refusing = testAuthorizer(() => ({ decision: 'no-opinion', reason: 'nobody may' })).authorizer;

/** The input for a create of a pod, unless the request is given. */
export async function testInput(
  request: Partial<Omit<AdmissionRequest, 'target'>> = {},
  authorizer: Authorizer = refusing,
): Promise<ExpressionInput> {
  const target = testTarget('/pods', 'Pod');
  return new ExpressionInputs(testRequest(target, request), authorizer).matchedAs(target);
}
