import { forbidden, type StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-plugin.ts';

/** The refusal of a request in the words that all plugins share. */
export function refused({ group, resource, name, object }: AdmissionRequest, detail: string): StatusError {
  const { metadata } = object;
  return forbidden({ group, resource }, name || metadata.name || metadata.generateName || 'Unknown', detail);
}
