import type { ColumnDefinition } from '../../../meta/table-columns.ts';

export function column(
  name: string,
  description: string,
  options: Partial<Pick<ColumnDefinition, 'type' | 'format' | 'priority'>> = {},
): ColumnDefinition {
  const { type = 'string', format = '', priority = 0 } = options;
  return { name, type, format, description, priority };
}

export const nameText = 'Name of the object.';
const ageText = 'Time since the object was created.';
export const containersText = 'Names of the containers.';
export const imagesText = 'Images of the containers.';

export const nameColumn = column('Name', nameText, { format: 'name' });
export const ageColumn = column('Age', ageText);
export const createdAtColumn = column('Created At', 'When the object was created.', { type: 'date' });
export const containersColumn = column('Containers', containersText, { priority: 1 });
export const imagesColumn = column('Images', imagesText, { priority: 1 });
