"""The guide's engine as one would first write it: plain Python, a whole-board scan for everything.

The oracle of the compiled family `textbook`, and what its speed is measured against. It imports
nothing of the lab. A board is a list of rows of integers: 0 empty, 1 and 2 stones.
"""

WIN, LOSE = 1_000_000, -1_000_000
FIVE, FOUR, THREE, TWO = 100_000, 10_000, 1_000, 100
VALUES = {2: TWO, 3: THREE, 4: FOUR, 5: FIVE}
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
INFINITY = float("inf")

visited = [0]  # nodes of the search so far


def board_of(cells, size):
    """Return the rows of a flat board."""
    return [list(cells[row * size : (row + 1) * size]) for row in range(size)]


def points(board):
    return [(row, col) for row in range(len(board)) for col in range(len(board))]


def lines_through(board, row, col):
    """Return, for each direction, the number of unbroken stones through (row, col)."""
    size, colour, lengths = len(board), board[row][col], []
    for d_row, d_col in DIRECTIONS:
        length = 1
        for way in (1, -1):
            r, c = row + way * d_row, col + way * d_col
            while 0 <= r < size and 0 <= c < size and board[r][c] == colour:
                length += 1
                r, c = r + way * d_row, c + way * d_col
        lengths.append(length)
    return lengths


def winner(board, exact=False):
    """Return the colour of a winning line by a scan of the whole board, 0 if there is none."""
    for row, col in points(board):
        if board[row][col]:
            for length in lines_through(board, row, col):
                if length == 5 if exact else length >= 5:
                    return board[row][col]
    return 0


def is_full(board):
    return all(all(row) for row in board)


def evaluate(board, player):
    """Each stone reports the line it stands in, so that a line of three counts three times."""
    total = 0
    for row, col in points(board):
        if board[row][col]:
            value = sum(VALUES.get(min(n, 5), 0) for n in lines_through(board, row, col))
            total += value if board[row][col] == player else -value
    return total


def evaluate_once(board, player):
    """Each line counts once: a stone in a line of n reports one n-th of it."""
    total = 0
    for row, col in points(board):
        if board[row][col]:
            value = sum(VALUES.get(min(n, 5), 0) / n for n in lines_through(board, row, col))
            total += value if board[row][col] == player else -value
    return round(total)


def candidates(board, radius=2):
    """Return the empty points near a stone in row-column order; the centre on an empty board."""
    size = len(board)
    stones = [(r, c) for r, c in points(board) if board[r][c]]
    if not stones:
        return [(size // 2, size // 2)]
    near = set()
    for row, col in stones:
        for r in range(max(0, row - radius), min(size, row + radius + 1)):
            for c in range(max(0, col - radius), min(size, col + radius + 1)):
                if board[r][c] == 0:
                    near.add((r, c))
    return sorted(near)


def after(board, move, player, question):
    """Ask something about the board with one more stone, and take the stone away again."""
    row, col = move
    board[row][col] = player
    answer = question(board)
    board[row][col] = 0
    return answer


def ordered_moves(board, player, radius=2):
    """Return the candidates by the evaluation after the move; equals keep their order."""
    return sorted(
        candidates(board, radius),
        key=lambda move: after(board, move, player, lambda b: evaluate(b, player)),
        reverse=True,
    )


def minimax(board, depth, alpha, beta, player, root, *, radius=2, exact=False, pruning=True):
    """Return the value of the board for `root`; `player` is to move."""
    visited[0] += 1
    won = winner(board, exact)
    if won:
        return WIN if won == root else LOSE
    if is_full(board):
        return 0
    if depth == 0:
        return evaluate(board, root)
    options = {"radius": radius, "exact": exact, "pruning": pruning}
    best = -INFINITY if player == root else INFINITY
    for row, col in ordered_moves(board, player, radius):
        board[row][col] = player
        value = minimax(board, depth - 1, alpha, beta, 3 - player, root, **options)
        board[row][col] = 0
        if player == root:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if pruning and beta <= alpha:
            break
    return best


def choose_move(board, player, depth=3, *, radius=2, exact=False):
    """Return the move and its value: None for a move that no search has valued."""
    if winner(board, exact) or is_full(board):
        return None, None
    moves = ordered_moves(board, player, radius)
    for move in moves:
        if after(board, move, player, lambda b: winner(b, exact)) == player:
            return move, WIN
    for move in moves:
        if after(board, move, 3 - player, lambda b: winner(b, exact)) == 3 - player:
            return move, None
    best_move, best = None, -INFINITY
    for move, value in root_values(board, player, depth, radius=radius, exact=exact):
        if value > best:
            best_move, best = move, value
    return best_move, best


def root_values(board, player, depth, *, radius=2, exact=False):
    """List the root moves in their order, each with its value from a full window."""
    values = []
    for move in ordered_moves(board, player, radius):

        def search(b):
            window = (-INFINITY, INFINITY)
            return minimax(b, depth - 1, *window, 3 - player, player, radius=radius, exact=exact)

        values.append((move, after(board, move, player, search)))
    return values
