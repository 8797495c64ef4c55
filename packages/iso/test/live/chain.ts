/** The messages of a failure, from the outermost to the first cause. */
export async function chainOf(work: Promise<unknown>): Promise<string[]> {
  const messages: string[] = [];
  let error: unknown = await work.then(
    () => new Error('did not fail'),
    (failure) => failure,
  );
  for (; error instanceof Error; error = error.cause) messages.push(error.message);
  return messages;
}
