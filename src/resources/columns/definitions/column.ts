import type { ColumnDefinition } from '../../../meta/table-columns.ts';

export function column(
  name: string,
  description: string,
  options: Partial<Pick<ColumnDefinition, 'type' | 'format' | 'priority'>> = {},
): ColumnDefinition {
  const { type = 'string', format = '', priority = 0 } = options;
  return { name, type, format, description, priority };
}

export const nameText =
  'Name must be unique within a namespace. Is required when creating resources, although some resources ' +
  'may allow a client to request the generation of an appropriate name automatically. Name is primarily ' +
  'intended for creation idempotence and configuration definition. Cannot be updated. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const ageText =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
  'guaranteed to be set in happens-before order across separate operations. Clients may not set this ' +
  'value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for ' +
  'lists. More info: ' +
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';
export const containersText = 'Names of each container in the template.';
export const imagesText = 'Images referenced by each container in the template.';

export const nameColumn = column('Name', nameText, { format: 'name' });
export const ageColumn = column('Age', ageText);
export const createdAtColumn = column('Created At', ageText, { type: 'date' });
export const containersColumn = column('Containers', containersText, { priority: 1 });
export const imagesColumn = column('Images', imagesText, { priority: 1 });
