// Waits until the page shows what was just changed, so that after a deletion nobody asks again for what is gone.
export const afterRender = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
