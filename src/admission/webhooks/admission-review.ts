import { encodeJson } from '../../codec/json/index.ts';
import type { AdmissionRequest, AdmissionTarget } from '../admission-request.ts';
import { reviewedRequest } from '../reviewed-request.ts';
import type { ReviewVersion } from './review-version.ts';

/** Identifies a review, whose response must have the same values. */
export interface ReviewIdentity {
  readonly version: ReviewVersion;
  readonly uid: string;
}

export interface ReviewedObjects {
  /** JSON. */
  readonly object: string;
  readonly oldObject: string;
}

/** The reviews of one request. Their common part is encoded once for each version of the objects. */
export class AdmissionReviews {
  readonly #request: AdmissionRequest;
  readonly #encoded = new Map<AdmissionTarget, { readonly before: string; readonly after: string }>();

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** The review, as JSON, for a webhook that matches as `target`. The objects are in its version. */
  review({ version, uid }: ReviewIdentity, target: AdmissionTarget, { object, oldObject }: ReviewedObjects): string {
    const { before, after } = this.#commonMembers(target);
    const request = `{"uid":"${uid}",${before},"object":${object},"oldObject":${oldObject},${after}}`;
    return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":${request}}`;
  }

  #commonMembers(target: AdmissionTarget): { readonly before: string; readonly after: string } {
    const known = this.#encoded.get(target);
    if (known !== undefined) return known;
    const { dryRun, options, ...first } = reviewedRequest(this.#request, target);
    const common = { before: members(first), after: members({ dryRun, options }) };
    this.#encoded.set(target, common);
    return common;
  }
}

/** The JSON of an object without its braces. */
function members(object: object): string {
  return encodeJson(object).slice(1, -1);
}
