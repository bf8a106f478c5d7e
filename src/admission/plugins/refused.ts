import { forbidden, type StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-plugin.ts';

/** The refusal of a request in the words that all plugins share. */
export function refused({ group, resource, object }: AdmissionRequest, detail: string): StatusError {
  return forbidden({ group, resource }, object.metadata.name || object.metadata.generateName || 'Unknown', detail);
}
