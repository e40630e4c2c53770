// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Takes no native coins.
contract RefusingDestination {}

/// @notice Uses all gas that it is given.
contract BurningDestination {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Refuses with a reason of a megabyte, which a careless caller would copy and pay for.
contract VerboseDestination {
    receive() external payable {
        assembly {
            revert(0, 1000000)
        }
    }
}

/// @notice Makes a call whenever it is paid, and returns what came of it.
contract CallingDestination {
    address private target;
    bytes private data;
    uint256 public calls;
    uint256 public successes;

    function setCall(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    receive() external payable {
        ++calls;
        (bool success,) = target.call(data);
        if (success) ++successes;
    }
}

/// @notice Delegates to another contract, as smart wallets and most stablecoins do.
contract Delegator {
    address private immutable TARGET;

    constructor(address target) {
        TARGET = target;
    }

    fallback(bytes calldata data) external payable returns (bytes memory) {
        (bool success, bytes memory answer) = TARGET.delegatecall(data);
        if (success) return answer;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }

    receive() external payable {
        (bool success,) = TARGET.delegatecall("");
        require(success);
    }
}

/// @notice Spends 100 000 gas whenever it is paid.
contract SpendingDestination {
    receive() external payable {
        uint256 gasBefore = gasleft();
        while (gasBefore - gasleft() < 100_000) {}
    }
}
