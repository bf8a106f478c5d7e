import type { Authorizer } from '../../authz/index.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionRequest, AdmissionTarget } from '../admission-request.ts';
import { reviewedRequest } from '../reviewed-request.ts';
import { AccessChecks } from './access-checks.ts';

/** The values of the variables of an expression. */
export interface ExpressionInput {
  /** The value of `request`. */
  readonly request: object;
  /** In the version as which the request matched. Undefined for a deletion. */
  readonly object: ResourceObject | undefined;
  /** In the same version. */
  readonly oldObject: ResourceObject | undefined;
  readonly access: AccessChecks;
  readonly params?: ResourceObject | undefined;
  readonly namespaceObject?: ResourceObject | undefined;
}

/** The inputs for the expressions of all webhooks or policies that one request matches. */
export class ExpressionInputs {
  readonly access: AccessChecks;
  readonly #request: AdmissionRequest;
  readonly #inputs = new Map<AdmissionTarget, MaybePromise<ExpressionInput>>();

  constructor(request: AdmissionRequest, authorizer: Authorizer) {
    this.#request = request;
    this.access = new AccessChecks(authorizer, request);
  }

  /**
   * The input when the request matched as this endpoint. Rejects with a StatusError when an object cannot be converted.
   */
  matchedAs(target: AdmissionTarget): MaybePromise<ExpressionInput> {
    let input = this.#inputs.get(target);
    if (input === undefined) {
      input = this.#input(target);
      this.#inputs.set(target, input);
    }
    return input;
  }

  #input(target: AdmissionTarget): MaybePromise<ExpressionInput> {
    const { operation, oldObject } = this.#request;
    const object = operation === 'DELETE' ? undefined : this.#request.object;
    const request = reviewedRequest(this.#request, target);
    return mapMaybe(this.#converted(object, target), (object) =>
      mapMaybe(this.#converted(oldObject, target), (oldObject) => ({
        request,
        object,
        oldObject,
        access: this.access,
      })),
    );
  }

  #converted(object: ResourceObject | undefined, target: AdmissionTarget): MaybePromise<ResourceObject | undefined> {
    if (object === undefined || target === this.#request.target) return object;
    return this.#request.target.objects.convert(object, target);
  }
}
