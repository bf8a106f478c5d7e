import { forbidden, type StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-request.ts';

/** The rejection of a request, worded alike for all plugins. */
export function admissionForbidden(
  { resource, name, object }: AdmissionRequest,
  detail: string,
  causes?: Parameters<typeof forbidden>[3],
): StatusError {
  const { metadata } = object;
  return forbidden(resource, name || metadata.name || metadata.generateName || 'Unknown', detail, causes);
}
