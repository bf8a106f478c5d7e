import { field, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { ObjectReference } from './reference-types.ts';

export const Binding = struct('core/v1.Binding', () => ({
  metadata: field(1, ObjectMeta),
  target: field(2, ObjectReference, { required: true, always: true }),
}));
