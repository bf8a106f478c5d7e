import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import { AdmissionExplanation } from '../admission-explanation.ts';
import type { Filter } from '../pipeline.ts';

const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Explains admission of writes to users who may review access. For an impersonated request that is the impersonator. */
export function explainAdmission(mayReview: (user: UserInfo) => MaybePromise<boolean>): Filter {
  return (context, next) => {
    const { info, knownUser, impersonator } = context;
    if (info.target === undefined || !writeVerbs.has(info.verb)) return next(context);
    return mapMaybe(mayReview(impersonator ?? knownUser), (isShown) => {
      context.explanation = new AdmissionExplanation(context, { isShown });
      return next(context);
    });
  };
}
