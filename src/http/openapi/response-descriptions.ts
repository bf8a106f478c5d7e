export const responseDescriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' } as const;
