import { ageText, column } from '../../../meta/table-columns.ts';

export const containersText = 'Names of the containers.';
export const imagesText = 'Images of the containers.';

export const ageColumn = column('Age', ageText);
export const containersColumn = column('Containers', containersText, { priority: 1 });
export const imagesColumn = column('Images', imagesText, { priority: 1 });
