// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @notice Makes a call before or after it moves money, like a token with hooks.
contract ReentrantToken is TestToken {
    address public target;
    bytes public data;
    bool public callsBefore;
    bool private isCalling;

    function setCall(address target_, bytes calldata data_, bool callsBefore_) external {
        target = target_;
        data = data_;
        callsBefore = callsBefore_;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (callsBefore) _callOnce();
        _move(msg.sender, to, amount);
        if (!callsBefore) _callOnce();
        return true;
    }

    function _callOnce() private {
        if (isCalling || target == address(0)) return;
        isCalling = true;
        (bool success,) = target.call(data);
        success;
        isCalling = false;
    }
}
