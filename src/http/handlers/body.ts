import { acceptedBodyTypes, type BodyEncoding, bodyEncoding } from '../../codec/media-types.ts';
import { requestMediaType } from '../../codec/negotiation.ts';
import { unsupportedMediaType } from '../../meta/status-error.ts';
import type { RequestContext } from '../request-context.ts';

/** What a body may weigh: more than any object may have, less than would hurt. */
export const bodyLimit = 3 * 1024 * 1024;

/** How the body of a request that carries an object is encoded. Throws the 415 that names the accepted media types. */
export function objectEncoding({ exchange }: RequestContext): BodyEncoding {
  const encoding = bodyEncoding(requestMediaType(exchange.header('content-type')));
  if (encoding !== undefined) return encoding;
  const accepted = `accepted media types include: ${acceptedBodyTypes.join(', ')}`;
  throw unsupportedMediaType(`the body of the request was in an unknown format - ${accepted}`);
}
