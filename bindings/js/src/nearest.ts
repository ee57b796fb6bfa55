/** The one of `words` that differs least from `word`, if it is similar. */
export function nearest(word: string, words: readonly string[]): string | undefined {
    // A text passed as options has long words.
    if (word.length > 32) return undefined;
    let best: string | undefined;
    let least = Math.max(2, word.length / 3);
    for (const other of words) {
        const changes = distance(word.toLowerCase(), other.toLowerCase());
        if (changes > least || (changes === least && best !== undefined)) continue;
        best = other;
        least = changes;
    }
    return best;
}
/** The number of letters to add, remove, replace, or swap with the next one, from one word to the other. */
function distance(one: string, other: string): number {
    let before: number[] = [];
    let row = Array.from({ length: other.length + 1 }, (_, i) => i);
    for (let i = 1; i <= one.length; ++i) {
        const next = [i];
        for (let j = 1; j <= other.length; ++j) {
            const isSame = one[i - 1] === other[j - 1];
            next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
            if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
        }
        [before, row] = [row, next];
    }
    return row[other.length]!;
}
