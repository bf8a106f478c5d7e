import { field, int64, rawExtension, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';

export const ControllerRevision = struct('apps/v1.ControllerRevision', () => ({
  metadata: field(1, ObjectMeta),
  data: field(2, rawExtension),
  revision: field(3, int64, { required: true, always: true }),
}));
