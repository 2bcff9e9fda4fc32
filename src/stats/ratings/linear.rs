//! The little linear algebra that ratings need.

/// A square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The inverse of a symmetric, positive definite matrix (Gauss-Jordan; such a matrix needs no
/// pivoting). `None` if it is singular to working precision.
pub(super) fn invert(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut left = matrix.clone();
    let mut right: Matrix = (0..size)
        .map(|row| (0..size).map(|column| f64::from(row == column)).collect())
        .collect();
    for pivot in 0..size {
        let value = left[pivot][pivot];
        if !(value.is_finite() && value > 1e-13 * matrix[pivot][pivot]) {
            return None;
        }
        for column in 0..size {
            left[pivot][column] /= value;
            right[pivot][column] /= value;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = left[row][pivot];
            for column in 0..size {
                left[row][column] -= factor * left[pivot][column];
                right[row][column] -= factor * right[pivot][column];
            }
        }
    }
    Some(right)
}

/// The product of two square matrices of the same size.
pub(super) fn multiply(left: &Matrix, right: &Matrix) -> Matrix {
    left.iter()
        .map(|row| {
            (0..right.len())
                .map(|column| {
                    row.iter()
                        .zip(right)
                        .map(|(x, other)| x * other[column])
                        .sum()
                })
                .collect()
        })
        .collect()
}

/// The product of a matrix and a column.
pub(super) fn apply(matrix: &Matrix, column: &[f64]) -> Vec<f64> {
    matrix
        .iter()
        .map(|row| row.iter().zip(column).map(|(x, y)| x * y).sum())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = vec![
            vec![4.0, -1.0, 0.5],
            vec![-1.0, 3.0, -1.0],
            vec![0.5, -1.0, 2.0],
        ];
        let product = multiply(&matrix, &invert(&matrix).unwrap());
        for (row, values) in product.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                assert!((value - f64::from(row == column)).abs() < 1e-12);
            }
        }
        assert_eq!(apply(&matrix, &[1.0, 0.0, 2.0]), vec![5.0, -3.0, 4.5]);
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        assert_eq!(invert(&vec![vec![1.0, -1.0], vec![-1.0, 1.0]]), None);
    }
}
