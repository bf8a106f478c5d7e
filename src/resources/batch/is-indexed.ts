import type { JobSpec } from './job-types.ts';

export const isIndexed = ({ completionMode }: JobSpec): boolean => completionMode === 'Indexed';
